import { o200k } from '../../../context/tokens/index.ts'
import { TOOLS } from './definitions.ts'

/** The tokens (o200k) that the definitions of our tools cost in each session of a client. */
export async function costOfTools(): Promise<number> {
  return (await o200k()).count(JSON.stringify(TOOLS))
}
