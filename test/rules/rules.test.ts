import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchesHost, speaksOf } from '../../src/rules/match.ts'
import { parseRule, readRules, ruleProblem } from '../../src/rules/rule.ts'

test('what one reader of rules takes for a rule, every other does', () => {
  const texts = ['Bash(git *)', 'mcp__git', 'mcp__git__*', 'Skill(x)', 'Task(explore)', 'Web.Fetch(a b)', 'x']
  const others = ['*', 'Bash (ls)', ' Bash', 'Bash ', 'Bash()', 'Bash(ls', '7z', 'a*b', '', 'Ba sh', '(x)']
  for (const text of texts) {
    assert.equal(ruleProblem(text), undefined, text)
    assert.equal(parseRule(text)?.text, text)
  }
  for (const text of others) {
    assert.notEqual(ruleProblem(text), undefined, text)
    assert.equal(parseRule(text), undefined, text)
  }
})

test('what is no rule allows nothing, and forbids and asks about everything', () => {
  const { allow, ask, deny } = readRules({ allow: ['*'], ask: ['Bash (ls)'], deny: ['Bash('] })
  assert.deepEqual(allow, [])
  for (const rule of [...ask, ...deny]) {
    assert.ok(rule && speaksOf(rule, 'anything', 'run'))
    assert.equal(rule.pattern, undefined)
  }
})

test('a rule speaks of a tool by its name, without case, by what it does, or of all tools of a server', () => {
  const rows: [rule: string, tool: string, doing: 'read' | 'write' | 'run' | undefined, speaks: boolean][] = [
    ['Read', 'grep', 'read', true],
    ['Grep', 'read', 'read', false],
    ['GREP', 'grep', 'read', true],
    ['Edit', 'write', 'write', true],
    ['Write', 'edit', 'write', false],
    ['Edit', 'read', 'read', false],
    ['Bash', 'terminal', 'run', true],
    ['Terminal', 'terminal', 'run', true],
    ['Read', 'weather', undefined, false],
    ['weather', 'Weather', undefined, true],
    ['mcp__git', 'mcp__git__log', undefined, true],
    ['mcp__git', 'mcp__github__log', undefined, false],
    ['mcp__git__l*', 'mcp__git__log', undefined, true],
    ['mcp__git__l*', 'mcp__git__push', undefined, false],
    ['web', 'web__fetch', undefined, false],
  ]
  for (const [text, tool, doing, speaks] of rows) {
    const rule = parseRule(text)
    assert.ok(rule)
    assert.equal(speaksOf(rule, tool, doing), speaks, `${text} of ${tool}`)
  }
})

test('a host is matched whole, without case', () => {
  const rows: [pattern: string | undefined, host: string, matches: boolean][] = [
    [undefined, 'example.org', true],
    ['Example.org', 'example.ORG', true],
    ['*.example.org', 'docs.example.org', true],
    ['*.example.org', 'example.org', false],
    ['example.org', 'example.org.evil.com', false],
    ['example.org', 'exampleXorg', false],
    ['localhost:*', 'localhost:8080', true],
    ['localhost', 'localhost:8080', false],
  ]
  for (const [pattern, host, matches] of rows)
    assert.equal(matchesHost(pattern, host), matches, `${pattern} and ${host}`)
})
