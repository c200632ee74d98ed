import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { buildSync } from 'esbuild'
import { describe, expect, test } from 'vitest'
import { createConversationFolder } from '../../src/workspace/folder.ts'
import { tempFolder } from '../helpers/repository.ts'

const date = '2026-11-21'
const create = (root: string, title: string, extra = {}) =>
  createConversationFolder({ root, folder: 'conversations', date, type: 'brainstorm', title, ...extra })

describe('createConversationFolder', () => {
  test('S0-D1b S0-D1c S0-D1a the tree of a conversation', () => {
    const root = tempFolder()
    const made = create(root, 'API Design', { template: '# {{title}}\n{{type}} {{date}} {{id}} {{other}}\n' })
    expect(made).toEqual({
      id: '001-brainstorm-api-design',
      path: 'conversations/2026-11-21/001-brainstorm-api-design',
    })
    const files = readdirSync(join(root, made.path)).sort()
    expect(files).toEqual(['.session', 'brainstorm.md'])
    expect(readFileSync(join(root, made.path, 'brainstorm.md'), 'utf8')).toBe(
      '# API Design\nbrainstorm 2026-11-21 001-brainstorm-api-design {{other}}\n',
    )
  })

  test('S2-12 a type without session support has no .session/', () => {
    const root = tempFolder()
    expect(readdirSync(join(root, create(root, 'x', { session: false, template: '' }).path))).toEqual([
      'brainstorm.md',
    ])
  })

  test.each([
    ['REST/GraphQL & \\ " \' $HOME $(touch x) `y`', '001-brainstorm-rest-graphql-home-touch-x-y'],
    ['a\nb\r\nc', '001-brainstorm-a-b-c'],
    ['../../etc/passwd', '001-brainstorm-etc-passwd'],
    ['🎉🎉', '001-brainstorm-untitled'],
    ['', '001-brainstorm-untitled'],
    ['Größe für Åse & Łukasz', '001-brainstorm-grosse-fur-ase-lukasz'],
    ['Обсуждение API', '001-brainstorm-obsuzhdenie-api'],
    ['Σχεδίαση', '001-brainstorm-schediasi'],
    ['設計の議論', '001-brainstorm-設計の議論'],
    ['\u202Eעברית', '001-brainstorm-עברית'],
    ['हिन्दी', '001-brainstorm-हिन्दी'],
  ])('E-2 E-3 title %j', (title, id) => {
    const root = tempFolder()
    expect(create(root, title, { template: '{{title}}' }).id).toBe(id)
    expect(readdirSync(join(root, 'conversations', date))).toEqual([id])
  })

  test('E-2 a title that looks like a placeholder is data', () => {
    const root = tempFolder()
    const { path } = create(root, '{{id}} $& $1', { template: '{{title}}|{{title}}' })
    expect(readFileSync(join(root, path, 'brainstorm.md'), 'utf8')).toBe('{{id}} $& $1|{{id}} $& $1')
  })

  test('E-29 numbers go past 8, 9, 99 and 999 and count every type', () => {
    const root = tempFolder()
    const next = (...present: string[]) => {
      const folder = `c${present.join('')}`
      for (const name of present) mkdirSync(join(root, folder, date, name), { recursive: true })
      return create(root, 'x', { folder }).id
    }
    expect(next('007-plan-a')).toBe('008-brainstorm-x')
    expect(next('008-plan-a')).toBe('009-brainstorm-x')
    expect(next('009-a', '003-b')).toBe('010-brainstorm-x')
    expect(next('099-learn-z')).toBe('100-brainstorm-x')
    expect(next('999-learn-z')).toBe('1000-brainstorm-x')
    expect(next('1000-learn-z')).toBe('1001-brainstorm-x')
  })

  test('E-2 a failure leaves no files', () => {
    const root = tempFolder()
    expect(() => create(root, 'x', { type: '../up' })).toThrow(/cannot be the name/)
    expect(() => create(root, 'x', { date: '../..' })).toThrow(/not a date/)
    expect(() => create(root, 'x', { folder: '../out' })).toThrow(/is not below/)
    expect(readdirSync(root)).toEqual([])
    expect(existsSync(join(root, '../out'))).toBe(false)
  })

  test('E-10 eight processes at once get eight numbers, and leave nothing else', async () => {
    const root = tempFolder()
    const bundle = join(tempFolder(), 'create.cjs')
    buildSync({
      stdin: {
        contents: `
          import { createConversationFolder } from './src/workspace/folder.ts'
          const [root, title, start] = process.argv.slice(2)
          while (Date.now() < Number(start)) {}
          for (let i = 0; i < 5; i++)
            createConversationFolder({ root, folder: 'conversations', date: '${date}', type: 'plan', title: title + i })`,
        resolveDir: resolve('.'),
        loader: 'ts',
      },
      bundle: true,
      platform: 'node',
      outfile: bundle,
      logLevel: 'error',
    })
    const start = String(Date.now() + 600)
    const run = promisify(execFile)
    await Promise.all([...'abcdefgh'].map((title) => run(process.execPath, [bundle, root, title, start])))
    const names = readdirSync(join(root, 'conversations', date)).sort()
    const expected = Array.from({ length: 40 }, (_, index) => String(index + 1).padStart(3, '0'))
    expect(names.map((name) => name.slice(0, 3))).toEqual(expected)
  })
})
