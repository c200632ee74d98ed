import { compareVersions, type Probe } from './clients.ts'
import { type Finding, ok, problem } from './finding.ts'

/** The oldest version of node that package.json allows. */
export const OLDEST_NODE = '20.19.0'

const INSTALL = 'npm install -g cortext'

/** Checks node, and whether hooks and plugin find this version of cortext on PATH. */
export function programFindings(version: string, onPath: Probe): Finding[] {
  return [nodeFinding(process.versions.node), onPathFinding(version, onPath)]
}

function nodeFinding(node: string): Finding {
  return compareVersions(node, OLDEST_NODE) >= 0
    ? ok('node', `node ${node}`)
    : problem(
        'old-node',
        `node ${node} is older than ${OLDEST_NODE}`,
        'install a newer one: https://nodejs.org',
      )
}

function onPathFinding(version: string, { path, version: found, failure }: Probe): Finding {
  if (path === undefined)
    return problem(
      'not-on-path',
      `cortext ${version} is not on PATH: hooks and plugin cannot record`,
      INSTALL,
    )
  if (found === undefined)
    return problem(
      'program-fails',
      `the cortext that hooks and plugin call does not work: ${path}: ${failure}`,
      INSTALL,
    )
  if (found === version) return ok('program', `cortext ${version}; hooks and plugin call ${path}`)
  return problem(
    'other-version',
    `this is cortext ${version}, but hooks and plugin call ${found} (${path})`,
    'have only one on PATH: which -a cortext',
  )
}
