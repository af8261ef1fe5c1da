import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  isSameModel,
  nearestNames,
  readFacts,
  readInstalled,
  readLoaded,
  readVersion,
  versionProblem,
} from '../../src/backends/ollama/facts.ts'
import { readRecordings } from './recordings.ts'

const recordings = readRecordings()
const recorded = (name: string): unknown => JSON.parse(recordings[name]!.lines[0]!.line)

describe('the small endpoints', () => {
  it('tell of a recorded model what it can do and how long a context it knows', () => {
    const facts = { trained_context: 32_768 }
    assert.deepEqual(readFacts(recorded('show')), { capabilities: ['completion', 'tools'], ...facts })
    assert.deepEqual(readFacts(recorded('show-no-tools')), { capabilities: ['completion'], ...facts })
    assert.deepEqual(readFacts(recorded('show-thinking')), {
      capabilities: ['completion', 'tools', 'thinking'],
      ...facts,
    })
  })

  it('tell which models are loaded and installed', () => {
    assert.deepEqual(readLoaded(recorded('ps'))[0], {
      name: 'gopi-native:latest',
      context_length: 8192,
      size: 58_138_624,
      size_vram: 0,
      expires_at: '2026-11-21T12:47:46.924508955Z',
      digest: 'ce8dda37c2f05d6f68f9eae77df90e8335d40bef4587a6133528bcc079eff477',
    })
    assert.deepEqual(readInstalled(recorded('tags'))[0], {
      name: 'gopi-big:latest',
      size: 301_707_616,
      digest: 'e77541e4510631a3e8cc0ae219cd5a0ac5d944da51eda2266bee68deab45a270',
      parameter_size: '149.05M',
    })
    assert.equal(readVersion(recorded('version')), '0.0.0')
  })

  it('may leave out whatever they like', () => {
    for (const answer of [
      {},
      [],
      null,
      5,
      { models: null },
      { models: [null, {}, { name: 5 }] },
      { model_info: [] },
    ]) {
      assert.deepEqual(readFacts(answer), { capabilities: [], trained_context: undefined })
      assert.deepEqual(readLoaded(answer), [])
      assert.deepEqual(readInstalled(answer), [])
      assert.equal(readVersion(answer), undefined)
    }
    const bare = { models: [{ name: 'a', size: 'big', digest: 1, details: null }] }
    assert.deepEqual(readInstalled(bare), [{ name: 'a', size: 0, digest: '', parameter_size: undefined }])
    assert.deepEqual(readLoaded(bare), [
      {
        name: 'a',
        context_length: undefined,
        size: 0,
        size_vram: undefined,
        digest: undefined,
        expires_at: undefined,
      },
    ])
  })
})

describe('a version', () => {
  for (const version of [
    '0.12.6',
    '0.12.6-rc1',
    '0.12.10',
    '0.13.0',
    '0.24.0',
    '1.0.0',
    'v0.33.0-rc2',
    '0.0.0',
    'dev',
    '',
  ]) {
    it(`${JSON.stringify(version)} is new enough`, () => assert.equal(versionProblem(version), undefined))
  }
  for (const version of ['0.12.5', '0.12.4-rc0', '0.9.9', '0.1.48', 'v0.11.11']) {
    it(`${version} is warned about`, () => {
      assert.match(versionProblem(version)!.message, new RegExp(`^Ollama ${version} cuts .*0\\.12\\.6.*\\.$`))
    })
  }
})

describe('names of models', () => {
  it('are the same with and without the tag and the registry that Ollama adds', () => {
    assert.ok(isSameModel('qwen3', 'qwen3:latest'))
    assert.ok(isSameModel('Qwen3:8B', 'qwen3:8b'))
    assert.ok(isSameModel('registry.ollama.ai/library/qwen3:8b', 'qwen3:8b'))
    assert.ok(isSameModel('hf.co:443/me/model', 'hf.co:443/me/model:latest'))
    assert.ok(!isSameModel('qwen3:8b', 'qwen3'))
    assert.ok(!isSameModel('me/qwen3', 'qwen3'))
  })

  it('that were probably meant are the three with the fewest slips', () => {
    const installed = [
      'llama3.2:latest',
      'qwen2.5-coder:14b',
      'mistral:7b',
      'qwen2.5-coder:7b-q4',
      'qwen3:8b',
    ]
    assert.deepEqual(nearestNames('qwen2.5-coder:7b', installed).slice(0, 2), [
      'qwen2.5-coder:14b',
      'qwen2.5-coder:7b-q4',
    ])
    assert.equal(nearestNames('lama3.2', installed)[0], 'llama3.2:latest')
    assert.deepEqual(nearestNames('x', []), [])
    assert.equal(nearestNames('x', installed).length, 3)
  })
})
