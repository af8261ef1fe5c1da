import type { EN_SENTENCES } from './en.ts'
import type { Sentences } from './sayings.ts'
import { ZH_BACKEND } from './zh-backend.ts'
import { ZH_KIT } from './zh-kit.ts'
import { ZH_PERMISSION } from './zh-permission.ts'
import { ZH_SESSION } from './zh-session.ts'

export const ZH_SENTENCES: Sentences<typeof EN_SENTENCES> = {
  ...ZH_BACKEND,
  ...ZH_KIT,
  ...ZH_PERMISSION,
  ...ZH_SESSION,
}
