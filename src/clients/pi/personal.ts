import type { Personal } from '../contract/personal.ts'
import { ownFolder } from './home.ts'

export const personal: Personal = {
  folder: ownFolder,
  place: (path) => path.replace(/^\.pi\//, ''),
}
