import { o200k } from '../../../context/tokens/index.ts'
import { TOOLS } from './definitions.ts'

/** Returns how many tokens (o200k) the definitions of our tools cost in each session of a client. */
export async function costOfTools(): Promise<number> {
  return (await o200k()).count(JSON.stringify(TOOLS))
}
