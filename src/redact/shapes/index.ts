import { CLOUDS } from './clouds.ts'
import { CODE } from './code.ts'
import { SERVICES } from './services.ts'
import type { Shape } from './shape.ts'

/** All kinds of token with a start of their own. */
export const SHAPES: readonly Shape[] = [...CLOUDS, ...CODE, ...SERVICES]
