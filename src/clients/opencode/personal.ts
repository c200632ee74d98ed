import type { Personal } from '../contract/personal.ts'
import { configFolder } from './home.ts'

export const personal: Personal = {
  folder: configFolder,
  place: (path) => path.replace(/^\.opencode\//, ''),
}
