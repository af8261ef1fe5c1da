import assert from 'node:assert/strict'
import { test } from 'node:test'
import { protectedFor } from '../../src/paths/names.ts'

const isProtected = (file: string) => protectedFor(`/project/${file}`, '/home/me/.gopi') !== undefined

test('what an assistant obeys, a repository runs or a build server does is protected', () => {
  const files = `AGENTS.md docs/agents.md CLAUDE.md CLAUDE.local.md GEMINI.md .cursorrules .windsurfrules .clinerules
    .github/copilot-instructions.md .cursor/rules/x.mdc .hg/hgrc .jj/repo/config.toml .githooks/pre-commit
    .devcontainer.json .devcontainer/devcontainer.json .lvimrc .pnp.cjs .github/workflows/x.yml .gitea/workflows/x.yml
    .forgejo/workflows/x.yml .forgejo/actions/x/action.yml .gitlab-ci.yml .gitlab/ci/x.yml .circleci/config.yml
    .woodpecker.yml .woodpecker.yaml .woodpecker/x.yml .drone.yml .drone.star azure-pipelines.yml azure-pipelines.yaml
    bitbucket-pipelines.yml Jenkinsfile .cirrus.yml .build.yml .builds/x.yml buildspec.yml .onedev-buildspec.yml
    .azuredevops/x.yml .Git/config .ſsh/config agents.Md .huſky/pre-commit`
  for (const file of files.trim().split(/\s+/)) assert.ok(isProtected(file), file)
})

test('files whose names only come near are not', () => {
  for (const file of [
    'agents.ts',
    'docs/claude.html',
    'hg/x',
    'githooks/x',
    '.github/ISSUE_TEMPLATE.md',
    'drone.yml',
  ])
    assert.ok(!isProtected(file), file)
})
