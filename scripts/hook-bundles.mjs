import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

const folder = join(import.meta.dirname, '../src/clients')

/** The ids of all clients: the folders of src/clients/ that have a hook language. Each has a hook bundle of its own. */
export const clientIds = readdirSync(folder).filter((name) =>
  existsSync(join(folder, name, 'hook-events.ts')),
)

/** Leaves the hook language of one client in a bundle. In the list of languages, the others become `undefined`. */
export const onlyClient = (client) => ({
  name: 'only-client',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]clients[\\/]\w+[\\/]hook-events\.ts$/ }, ({ path }) => {
      const id = basename(dirname(path))
      return id === client ? undefined : { contents: `export const ${id}Hooks = undefined` }
    }),
})
