import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type InstallRequest, install } from '../../../src/journeys/setup/install.ts'
import { uninstall } from '../../../src/journeys/setup/uninstall.ts'
import { localDir } from '../../../src/workspace/local-folder.ts'
import { tempPack, tinyClient } from '../../helpers/pack.ts'
import { gitEnv, placeOf, tempFolder } from '../../helpers/repository.ts'

export const tiny = tinyClient()
export const ODD =
  '{\n   "permissions": { "allow": [ "Bash(ls)" ] },\n   "hooks": {"Stop": ["cortext-like other"], "Empty": []}\n}'

/** Every path below a folder with its bytes, folders included, git's own objects aside. */
export function tree(folder: string, prefix = ''): Record<string, string> {
  const found: Record<string, string> = {}
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name)
    if (name === '.git') {
      const exclude = join(path, 'info/exclude')
      if (existsSync(exclude)) found[`${prefix}.git/info/exclude`] = readFileSync(exclude, 'latin1')
      found[`${prefix}.git`] = readdirSync(path).sort().join(' ')
    } else if (statSync(path).isDirectory()) {
      found[`${prefix}${name}/`] = ''
      Object.assign(found, tree(path, `${prefix}${name}/`))
    } else found[`${prefix}${name}`] = readFileSync(path, 'latin1')
  }
  return found
}

export function world(root: string, env = gitEnv(tempFolder()), pack = tempPack(), client = tiny) {
  const environment = placeOf(root, env)
  return {
    root,
    folders: () => ({ root, local: localDir(root, environment) }),
    run: (extra: Partial<InstallRequest> = {}) => install(environment, { clients: [client], pack, ...extra }),
    remove: (hasUnpublished = false) => uninstall(environment, { clients: [client], hasUnpublished }),
    read: (path: string) => readFileSync(join(root, path), 'utf8'),
    has: (path: string) => existsSync(join(root, path)),
    pack,
  }
}
