// Collects what the licences of the bundled libraries ask for: names, copyrights and texts, in one file.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Returns esbuild's `build` in a form that also collects the paths of all sources. */
export function collecting(build) {
  const inputs = new Set()
  return {
    inputs,
    build: async (options) => {
      const result = await build({ ...options, metafile: true })
      for (const path of Object.keys(result.metafile.inputs)) inputs.add(path)
      return result
    },
  }
}

/** The folders of the packages to which these sources belong. */
export function packagesOf(inputs) {
  const folders = [...inputs].flatMap(
    (path) => /^(?:.*:)?(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? [],
  )
  return [...new Set(folders)].sort()
}

/** The text of the notices of these packages. Throws for a package without the text of its licence. */
export function noticesOf(root, folders) {
  const named = new Map()
  for (const folder of folders) {
    const { name, text } = noticeOf(join(root, folder))
    named.set(text, [...(named.get(text) ?? []), name])
  }
  const notices = [...named].map(([text, names]) => `${[...new Set(names)].join('\n')}\n\n${text}`)
  const head = 'The programs in this folder contain these libraries. Below their names are their licences.'
  return `${[head, ...notices].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}

function noticeOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const files = readdirSync(folder).filter((file) => /^(?:licen[cs]e|copying|notice)/i.test(file))
  if (files.length === 0)
    throw new Error(`${name} ${version} (${license}) comes without the text of its licence`)
  const texts = files.sort().map((file) => readFileSync(join(folder, file), 'utf8').trim())
  return { name: `${name} ${version} (${license})`, text: texts.join('\n\n').replaceAll('\r\n', '\n') }
}
