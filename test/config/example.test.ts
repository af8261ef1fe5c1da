import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { defaults } from '../../src/config/config.ts'
import { allPaths, mergeSettings, settingsOf } from '../../src/config/settings.ts'
import { checkYaml } from '../../src/config/yaml.ts'

const example = readFileSync(new URL('../../config.example.yaml', import.meta.url), 'utf8')
const keyLine = /^( *)# ([a-z_]+:.*)$/gm
const uncommented = example.replaceAll(keyLine, '$1$2')

function values(text: string) {
  const checked = checkYaml(text, 'config.example.yaml')
  assert.deepEqual(checked.problems, [])
  return checked.values
}

test('the example sets nothing as it stands, and the defaults when uncommented', () => {
  assert.deepEqual(values(example), {})
  assert.deepEqual(mergeSettings(settingsOf(values(uncommented), { from: 'user' })).config, defaults)
})

test('the example holds every key once, in order', () => {
  assert.deepEqual(Object.keys(values(uncommented)), allPaths())
})

test('each key of the example has a reason above it', () => {
  const lines = example.split('\n')
  for (const [i, line] of lines.entries()) {
    if (/^ *# /.test(line)) assert.match(lines[i - 1] ?? '', /^ *## .{20}/, line)
    assert.ok(line.length <= 110, line)
  }
})
