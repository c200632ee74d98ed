import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { commandFor, findProgram } from '../../src/io/program.ts'
import { tempFolder } from '../helpers/repository.ts'

describe('a program on PATH', () => {
  // promise: have a program started that it brings: programs come only from absolute folders on `PATH`.
  test('is found only in absolute folders: a relative one leads into a clone', () => {
    const folder = tempFolder()
    put(folder, 'claude')
    expect(findProgram('claude', { PATH: `.::${folder}` })).toBe(join(folder, 'claude'))
    expect(findProgram('claude', { PATH: '.:test' })).toBeUndefined()
  })
})

describe('a batch file (Windows)', () => {
  test('of npm is passed over: what it names gets each argument as it is', () => {
    const path = put(tempFolder(), 'claude.cmd', NPM_EXE)
    const args = ['--tools', '', 'two\nlines, "quotes", %PATH% & more']
    expect(commandFor(path, args, {})).toEqual({
      file: expect.stringMatching(/claude\.exe$/),
      args,
      verbatim: false,
    })
  })

  test('of npm for a script starts node with the options that the script wants', () => {
    const path = put(tempFolder(), 'gemini.cmd', NPM_SCRIPT)
    const { file, args } = commandFor(path, ['--version'], {})
    expect(file).toBe(process.execPath)
    expect(args).toEqual([
      '--no-warnings=DEP0040',
      expect.stringMatching(/gemini-cli\\bundle\\gemini\.js$/),
      '--version',
    ])
  })

  test('of pnpm names its script with the folder in another form', () => {
    const path = put(tempFolder(), 'gemini.cmd', PNPM)
    expect(commandFor(path, [], {}).args).toEqual([expect.stringMatching(/global\\5\\gemini\.js$/)])
  })

  test('of a person gets its arguments in quotes, and never such as cmd.exe would read as its own', () => {
    const path = put(tempFolder(), 'claude.cmd', '@echo off\r\nC:\\tools\\claude.exe %*\r\n')
    expect(commandFor(path, ['--resume', 'C:\\a & b\\'], { ComSpec: 'C:\\cmd.exe' })).toEqual({
      file: 'C:\\cmd.exe',
      args: ['/d', '/s', '/c', `""${path}" "--resume" "C:\\a & b\\\\""`],
      verbatim: true,
    })
    for (const word of ['a"b', '%PATH%', 'two\nlines', '!x!'])
      expect(() => commandFor(path, [word], {})).toThrow(/cannot be given these arguments/)
  })
})

function put(folder: string, name: string, content = ''): string {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, name), content)
  chmodSync(join(folder, name), 0o755)
  return join(folder, name)
}

const lines = (...all: string[]) => all.map((line) => `${line}\r\n`).join('')

/** As npm 10 and 11 write them. */
const HEAD = [
  '@ECHO off',
  'GOTO start',
  ':find_dp0',
  'SET dp0=%~dp0',
  'EXIT /b',
  ':start',
  'SETLOCAL',
  'CALL :find_dp0',
]
const NPM_EXE = lines(...HEAD, '"%dp0%\\node_modules\\@anthropic-ai\\claude-code\\bin\\claude.exe"   %*')
const NPM_SCRIPT = lines(
  ...HEAD,
  'IF EXIST "%dp0%\\node.exe" (',
  '  SET "_prog=%dp0%\\node.exe"',
  ') ELSE (',
  '  SET "_prog=node"',
  '  SET PATHEXT=%PATHEXT:;.JS;=;%',
  ')',
  'endLocal & goto #_undefined_# 2>NUL || title %COMSPEC% & "%_prog%" --no-warnings=DEP0040 "%dp0%\\node_modules\\@google\\gemini-cli\\bundle\\gemini.js" %*',
)
/** As pnpm 10 writes it. */
const PNPM = lines(
  '@SETLOCAL',
  '@IF EXIST "%~dp0\\node.exe" (',
  '  "%~dp0\\node.exe"  "%~dp0\\global\\5\\gemini.js" %*',
  ') ELSE (',
  '  @SET PATHEXT=%PATHEXT:;.JS;=;%',
  '  node  "%~dp0\\global\\5\\gemini.js" %*',
  ')',
)
