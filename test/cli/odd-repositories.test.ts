import { execFileSync } from 'node:child_process'
import { existsSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { configurationInTree } from '../../src/workspace/git/unasked.ts'
import { doctorLab } from '../helpers/doctor-lab.ts'
import { gitEnv, tempFolder } from '../helpers/repository.ts'
import { workspaceLab } from '../helpers/workspace-lab.ts'

test('.git is a link: doctor says where the state is then, and its line brings it into git', async () => {
  const lab = await doctorLab({ init: 'none' })
  renameSync(join(lab.root, '.git'), join(lab.home, 'real.git'))
  symlinkSync(join(lab.home, 'real.git'), join(lab.root, '.git'))
  await lab.json(['init', '--json'])
  const { id } = await lab.json<{ id: string }>(['start', 'plan', 'Here', '--json'])
  const { notes } = await lab.doctor()
  const found = notes.find(({ code }) => code === 'unnamed-folder')
  expect(found?.message).toContain('where git clean -x would delete it')
  execFileSync('sh', ['-c', found!.fix!], { env: lab.env })
  expect((await lab.doctor()).notes.map(({ code }) => code)).not.toContain('unnamed-folder')
  expect(await lab.json(['show', id, '--json'])).toHaveProperty('session.title', 'Here')
  expect(existsSync(join(lab.home, 'real.git/cortext/metadata'))).toBe(true)
  expect(existsSync(join(lab.root, '.workspace/local'))).toBe(false)
  expect(lab.git('status', '--porcelain')).not.toContain('local')
})

test('a line break in the name of the folder hides no configuration that is in the work tree', async () => {
  const root = join(tempFolder(), 'a\nb')
  const git = (...args: string[]) =>
    execFileSync('git', args, {
      cwd: existsSync(root) ? root : '/',
      env: gitEnv(tempFolder()),
      encoding: 'utf8',
    })
  git('init', '--quiet', root)
  writeFileSync(join(root, 'mine.config'), '')
  git('config', 'include.path', '../mine.config')
  writeFileSync(join(root, 'mine.config'), '[gpg]\n\tprogram = sh\n')
  expect(await configurationInTree(root, gitEnv(tempFolder()))).toContain('mine.config')
})

test('a limit of open files gives an error message, and no stack of the program', async () => {
  const lab = await workspaceLab()
  const wrap = ['sh', '-c', 'ulimit -n 22; exec "$@"', 'sh']
  const { stdout, stderr } = await lab.cortext(['start', 'plan', 'Here'], { wrap })
  expect(stdout).toContain('001-plan-here')
  expect(stderr).not.toMatch(/^\s+at |Unhandled|TypeError|a bug in cortext/m)
})
