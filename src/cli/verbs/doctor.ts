import type { Environment } from '../../io/environment.ts'
import type { Finding } from '../../journeys/doctor/finding.ts'
import { type Fixed, fix } from '../../journeys/doctor/fix.ts'
import { type Diagnosis, diagnose } from '../../journeys/doctor/index.ts'
import { countOf } from '../../text/count-of.ts'
import { oneLine } from '../../text/line.ts'
import { sayJson, sayWrapped } from '../print.ts'
import { withProgress } from '../progress/index.ts'

declare const __VERSION__: string

/** Prints what is wrong and what to do about it. The exit code is 1 if there is a problem. */
export async function doctor(
  environment: Environment,
  options: { fix?: boolean; json?: boolean },
): Promise<void> {
  const version = __VERSION__
  const before = await withProgress('Looking at clients and conversations', () =>
    diagnose(environment, { version }),
  )
  const { root } = before
  const fixed = options.fix && root !== undefined ? await fix(environment, root) : undefined
  const now = fixed === undefined ? before : await diagnose(environment, { version })
  const problems = numberOf(now, 'problem')
  if (problems > 0) process.exitCode = 1
  if (options.json) return sayJson({ ...now, problems, notes: numberOf(now, 'note'), ...fixed })
  sayWrapped(
    fixed === undefined ? [] : fixedLines(fixed),
    now.sections
      .filter(({ findings }) => findings.length > 0)
      .flatMap(({ title, findings }) => [title, ...findings.flatMap(lines), '']),
    verdict(now),
  )
}

const MARKS = { ok: 'ok', note: 'note', problem: 'PROBLEM' } as const

function lines({ severity, message, fix, fixable }: Finding): string[] {
  const remedy = fixable ? 'cortext doctor --fix' : fix
  return [
    `  ${MARKS[severity].padEnd(8)} ${oneLine(message)}`,
    ...(remedy === undefined ? [] : [`  ${''.padEnd(8)} → ${remedy}`]),
  ]
}

function fixedLines({ done, failed }: Fixed): string[] {
  const all = [
    ...done.map((line) => `  ${oneLine(line)}`),
    ...failed.map((line) => `  could not: ${oneLine(line)}`),
  ]
  return all.length === 0 ? ['There was nothing to fix.', ''] : ['Fixed', ...all, '']
}

function verdict(diagnosis: Diagnosis): string {
  const [problems, notes] = [numberOf(diagnosis, 'problem'), numberOf(diagnosis, 'note')]
  if (problems === 0) return notes === 0 ? 'All is well.' : `All is well; ${countOf(notes, 'note')}.`
  return `${countOf(problems, 'problem')}, ${countOf(notes, 'note')}.`
}

function numberOf({ sections }: Diagnosis, severity: Finding['severity']): number {
  return sections.flatMap(({ findings }) => findings).filter((one) => one.severity === severity).length
}
