import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  commandHash,
  loadCommand,
  parseCommand,
  readPrompt,
  sameButSpace,
  snapshotPrompt,
} from '../../../src/workspace/pack/commands.ts'
import { tempPack } from '../../helpers/pack.ts'
import { tempFolder } from '../../helpers/repository.ts'

describe('parseCommand', () => {
  test('a command file has front matter and a body', () => {
    expect(
      parseCommand('workspace.x', '---\ndescription: A: b\nargument-hint: <x>\nother: 1\n---\nBody\n---\n'),
    ).toEqual({
      name: 'workspace.x',
      description: 'A: b',
      argumentHint: '<x>',
      body: 'Body\n---\n',
    })
  })

  test('CRLF, a BOM and quotes make no difference', () => {
    const text = '\uFEFF---\r\ndescription: "A"\r\nargument-hint: \'<x>\'\r\n---\r\nBody\r\n'
    expect(parseCommand('x', text)).toMatchObject({ description: 'A', argumentHint: '<x>', body: 'Body\n' })
  })

  test('without front matter everything is body', () => {
    expect(parseCommand('x', 'Text\n---\ndescription: no\n---\n')).toMatchObject({
      description: '',
      body: 'Text\n---\ndescription: no\n---\n',
    })
  })
})

describe('loadCommand', () => {
  test("S0-D5n the workspace's file is the current version; without it the shipped one is", () => {
    const [root, pack] = [tempFolder(), tempPack()]
    expect(loadCommand(root, '/workspace.brainstorm', pack).path).toBe(
      join(pack, 'commands/workspace.brainstorm.md'),
    )
    mkdirSync(join(root, '.workspace/commands'), { recursive: true })
    writeFileSync(join(root, '.workspace/commands/workspace.brainstorm.md'), 'Mine\n')
    expect(loadCommand(root, 'workspace.brainstorm', pack)).toMatchObject({
      text: 'Mine\n',
      hash: commandHash('Mine\n'),
      command: { body: 'Mine\n' },
    })
  })

  test('a name that is a path is not loaded', () => {
    expect(() => loadCommand(tempFolder(), '/../../etc/passwd', tempPack())).toThrow(/there is no command/)
  })
})

test('S0-D5o different versions have different hashes, apart from line ends', () => {
  expect(commandHash('a\r\nb')).toBe(commandHash('a\nb'))
  expect(commandHash('a\nb')).not.toBe(commandHash('a\nc'))
  expect(commandHash('')).toBe('sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
})

test('X-25 a difference in white space is not a change', () => {
  expect(sameButSpace('a  b\n\nc', ' a b\r\nc\n')).toBe(true)
  expect(sameButSpace('ab', 'a b')).toBe(false)
})

test('X-5 each version of a command is kept once', () => {
  const root = tempFolder()
  expect(snapshotPrompt(root, 'one\r\n')).toBe(snapshotPrompt(root, 'one\n'))
  snapshotPrompt(root, 'two\n')
  expect(readdirSync(join(root, '.workspace/prompts'))).toHaveLength(2)
  expect(readPrompt(root, commandHash('one\n'))).toBe('one\n')
  expect(readPrompt(root, 'sha256:../../x')).toBeUndefined()
})
