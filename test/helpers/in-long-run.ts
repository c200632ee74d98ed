import { it } from 'vitest'
import { LONG } from './long.ts'

/** An `it` that is there in `npm run test:long` alone; otherwise it is not skipped but missing, as CI skips nothing. */
export const inLongRun: typeof it = LONG ? it : ((() => {}) as never)
