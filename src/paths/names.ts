/** What a path is to gopi, by its text alone: names that are refused, protected, or hold secrets. */

import path from 'node:path'
import type { Said } from '../protocol/sayings.ts'
import { said } from '../words/sayings/said.ts'
import { isInside } from './inside.ts'

/** Why no call may ever touch this, as it was written; nothing has looked at the disk yet. */
export function refusedAsWritten(given: string): Said | undefined {
  if (/[\x00-\x1f\x7f]/.test(given)) return said('permission.control_character', {})
  if (/^(\\\\|\/\/[^/]+\/|\\\?\?\\)/.test(given) || /^\\\\?[?.]\\/.test(given))
    return said('permission.network_path', { file: given })
  if (/^(file|smb|https?):\/\//i.test(given)) return undefined
  const plain = path.posix.normalize(given)
  if (/^\/dev\/(std(in|out|err)|fd|tty|pts)|^\/proc\/[^/]+\/fd(\/|$)/.test(plain))
    return said('permission.irregular', { file: plain })
  return refused(plain)
}

/** Why no call may ever touch this absolute path. */
export function refused(target: string): Said | undefined {
  if (
    /^\/proc\/[^/]+\/(task\/[^/]+\/)?(environ|mem|auxv|maps|kcore)$/.test(target) ||
    target === '/proc/kcore'
  )
    return said('permission.process_memory', { file: target })
  if (/^\/dev\/(sd|hd|vd|xvd|nvme|mmcblk|r?disk|mapper\/|dm-|md|loop|mem$|kmem$|port$|sg|nbd)/.test(target))
    return said('permission.raw_device', { file: target })
  return undefined
}

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

const PROTECTED_DIRECTORIES = words(
  `.git .hg .jj .githooks .gopi .ssh .gnupg .vscode .idea .zed .husky .circleci .buildkite .devcontainer .direnv .tekton .semaphore .mvn
  .cursor .claude .codex .gemini .qwen .opencode .continue .windsurf .roo .clinerules .goose .amazonq .kiro .crush`,
)

/** Each of these makes some program run something (a shell, an editor, a package manager, a build server), or tells an assistant what to do. */
const PROTECTED_FILES = words(`
  .mcp.json .envrc .npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs .pypirc .netrc .gitconfig .gitmodules .gitattributes
  .git-credentials .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .inputrc .zshrc .zshenv .zprofile
  .zlogin .zlogout .kshrc .cshrc .tcshrc .login config.fish .vimrc .exrc .nvimrc .nvim.lua .dir-locals.el .gdbinit
  .lldbinit .bazelrc .tool-versions .mise.toml mise.toml pyvenv.cfg .pre-commit-config.yaml .lefthook.yml lefthook.yml
  agents.md agents.override.md claude.md claude.local.md gemini.md qwen.md .cursorrules .windsurfrules .clinerules
  copilot-instructions.md .devcontainer.json .lvimrc .pnp.cjs .pnp.loader.mjs
  .gitlab-ci.yml .travis.yml jenkinsfile azure-pipelines.yml bitbucket-pipelines.yml .drone.yml .drone.star .drone.jsonnet
  .woodpecker.yml .woodpecker.yaml .gitlab-ci.yaml azure-pipelines.yaml .cirrus.yml .cirrus.star .build.yml .appveyor.yaml
  appveyor.yml .appveyor.yml cloudbuild.yaml opencode.json opencode.jsonc crush.json .aider.conf.yml .tmux.conf .screenrc
  buildspec.yml .onedev-buildspec.yml .psqlrc .sqliterc .irbrc .pryrc .rprofile .gemrc .condarc .curlrc .wgetrc .ripgreprc .ackrc .ctags .xinitrc .xprofile`)
const PROTECTED_PATHS =
  /\/(\.cargo\/config(\.toml)?|\.config\/(git|fish|mise)\/.*|\.config\/(nvim|systemd|autostart|environment\.d)\/.*|\.(yarn\/(releases|plugins)|bundle)\/.*|\.(woodpecker|builds|gitlab\/ci|azure-pipelines|azuredevops)\/.*|library\/launchagents\/.*|[^/]*\.code-workspace)$/

/**
 * Why a change to this path asks in every mode. Case does not matter, for it does not on the file systems of macOS.
 * `gopiHome`: a real path.
 */
export function protectedFor(target: string, gopiHome: string): Said | undefined {
  const parts = fold(target)
    .split(/[/\\]/)
    .map(part => part.replace(/[. ]+$/, '') || part)
  const name = parts.at(-1) ?? ''
  const directory = parts.find(part => PROTECTED_DIRECTORIES.has(part))
  if (directory !== undefined) return said('permission.protected', { name: directory, file: target })
  if (PROTECTED_FILES.has(name)) return said('permission.protected', { name, file: target })
  if (isInside(target, gopiHome)) return said('permission.protected_own', { file: target })
  if (PROTECTED_PATHS.test(parts.join('/'))) return said('permission.protected', { name, file: target })
  if (/\/\.(github|gitea|forgejo)\/(workflows|actions)(\/|$)/.test(parts.join('/')))
    return said('permission.protected_ci', { file: target })
  return undefined
}

/** As file systems compare that know no case: to them `.ſsh` is .ssh. */
const fold = (target: string): string => target.toUpperCase().toLowerCase()

const SECRET_DIRECTORIES =
  /(?:^|\/)(?:\.(ssh|gnupg|aws|azure|kube|docker|password-store|gcloud|oci|mozilla|terraform\.d|config\/(gcloud|gh|op|rclone|doctl|hub|heroku|google-chrome|chromium))|keychains|keyrings)(?:\/|$)/
const SECRET_FILES = words(
  `.netrc _netrc .pgpass .my.cnf .npmrc .pypirc .git-credentials .htpasswd .envrc .vault-token .terraformrc .boto .s3cfg
  .dockercfg .dockerconfigjson .databrickscfg .rails_master_key credentials credentials.json credentials.toml
  .credentials.json application_default_credentials.json oauth_creds.json auth.json kubeconfig .yarnrc.yml shadow gshadow
  sudoers secrets.yml secrets.yaml secrets.json secrets.toml master.key vault_pass logins.json wp-config.php
  terraform.tfvars local.settings.json pip.conf .viminfo .lesshst`,
)
/** Names that hold secrets only where a tool of theirs keeps them. */
const SECRET_PATHS =
  /\/(\.gopi\/config\.ya?ml|\.m2\/settings(-security)?\.xml|\.gradle\/gradle\.properties|\.fly\/config\.yml|\.nuget\/nuget\.config|\.snowflake\/.*)$/
const SECRET_NAMES = either([
  /^\.(flask)?env([._~-].*)?$|.\.env(\.json)?$|^\.(\w+\.)?vars$/,
  /(^id|[_-])(_?)(rsa|dsa|ecdsa|ed25519)(_sk)?$/,
  /\.(pem|key|p12|pfx|jks|keystore|ppk|kdbx|asc|gpg|ovpn|tfstate|tfvars|tfvars\.json)$/,
  /^\..+_history$/,
  /(service[-_]?account.*|adminsdk.*|[-_.]key)\.json$/,
  /^((.*[-_.])?(secrets|credentials?)|passwords?|passwd|token|vault[-_]pass(word)?)\.(txt|json|ya?ml|toml|ini|enc|yml\.enc)$/,
  /^\.(secrets?|credentials?|passwords?|passwd|token|vault[-_]pass(word)?)$/,
  /^kubeconfig\b|(^|[-_])deploy[-_]key$/,
])

/** One pattern for all of them: it is asked about every name in a home. */
function either(patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join('|'))
}

/** Why reading this asks: it is where keys and passwords lie. */
export function secret(target: string): Said | undefined {
  const folded = fold(target)
  // A copy of a secret is one.
  const name = folded
    .slice(folded.lastIndexOf('/') + 1)
    .replace(/(?<=.)(~|\.(bak|backup|old|orig|save|swp))$/, '')
  const isPublic = name.endsWith('.pub') || name === 'known_hosts'
  const isExample = /^\.env[._-](.+\.)?(example|sample|template|dist)$|\.(example|sample)\.env$/.test(name)
  const isSecret =
    SECRET_FILES.has(name) ||
    SECRET_NAMES.test(name) ||
    SECRET_PATHS.test(folded) ||
    SECRET_DIRECTORIES.test(folded)
  return isSecret && !isPublic && !isExample ? said('permission.secret', { file: target }) : undefined
}
