import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** Every regular expression that the redaction has: those written in its source, and those it makes while it loads. */
export async function allPatterns(): Promise<{ written: RegExp[]; made: RegExp[] }> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('../../src/redact/index.ts', import.meta.url))],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    // Without comments: a pattern after one has no sign before it.
    minifyWhitespace: true,
  })
  const source = outputFiles[0]!.text
  return { written: literalsIn(source), made: madeBy(source) }
}

function madeBy(source: string): RegExp[] {
  const made: RegExp[] = []
  class Recorded extends RegExp {
    constructor(pattern: string | RegExp, flags?: string) {
      super(pattern, flags)
      made.push(this)
    }
  }
  new Function('RegExp', 'require', 'module', source)(Recorded, createRequire(import.meta.url), {
    exports: {},
  })
  return made
}

/** A slash begins a regular expression where no value stands in front of it to be divided. */
function literalsIn(source: string): RegExp[] {
  return [...source.matchAll(TOKEN)].flatMap(([, pattern, flags]) =>
    pattern === undefined ? [] : [new RegExp(pattern, flags)],
  )
}

const STRING = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[\s\S])*`/
const COMMENT = /\/\/.*|\/\*[\s\S]*?\*\//
const LITERAL = /(?<=(?:[(,=:[!&|?{};]|return)\s*)\/((?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([a-z]*)/
const TOKEN = new RegExp(`${STRING.source}|${COMMENT.source}|${LITERAL.source}`, 'g')
