import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadTalkWords, loadWords } from '../../src/words/language.ts'
import { languageOf } from '../../src/words/locale.ts'
import { told } from '../../src/words/sayings/told.ts'
import { loadedWith } from '../support/imports.ts'

test('the configuration chooses the language, then the first variable that is set', () => {
  const rows: [configured: 'auto' | 'en' | 'zh', env: Record<string, string>, language: 'en' | 'zh'][] = [
    ['auto', {}, 'en'],
    ['auto', { LANG: 'zh_CN.UTF-8' }, 'zh'],
    ['auto', { LANG: 'zh' }, 'zh'],
    ['auto', { LANG: 'zh-Hans-CN' }, 'zh'],
    ['auto', { LANG: 'zh_TW.UTF-8' }, 'zh'],
    ['auto', { LANG: 'zha_CN' }, 'en'],
    ['auto', { LANG: 'C' }, 'en'],
    ['auto', { LANG: 'de_DE.UTF-8', LC_MESSAGES: 'zh_CN.UTF-8' }, 'zh'],
    ['auto', { LC_MESSAGES: 'zh_CN.UTF-8', LC_ALL: 'en_GB.UTF-8' }, 'en'],
    ['auto', { LC_ALL: 'C.UTF-8', GOPI_LANG: 'zh' }, 'zh'],
    ['auto', { LC_ALL: '', LANG: 'zh_CN' }, 'zh'],
    ['auto', { GOPI_LANG: 'fr', LANG: 'zh_CN' }, 'en'],
    ['en', { GOPI_LANG: 'zh' }, 'en'],
    ['zh', { LC_ALL: 'en_US.UTF-8' }, 'zh'],
  ]
  for (const [configured, env, language] of rows)
    assert.equal(languageOf(configured, env), language, JSON.stringify([configured, env]))
})

test('the words are those of the language, and none are loaded before they are asked for', async () => {
  assert.equal((await loadWords('en')).questions.yes, 'yes')
  assert.equal((await loadWords('zh')).questions.yes, '是')
  const missing = told('no_model.missing', { host: 'h', model: 'm', nearest: ['n'] })
  for (const language of ['en', 'zh'] as const) {
    assert.match((await loadTalkWords(language)).say(missing), / \/model /)
    assert.match((await loadWords(language)).say(missing), / --model /)
  }
  const loaded = loadedWith('words/language.ts')
  assert.ok(![...loaded].some(file => /words\/(en|zh)\.ts/.test(file)), [...loaded].join())
})
