import { CLOUDS } from './clouds.ts'
import { DEVELOPER_TOOLS } from './developer-tools.ts'
import { MODELS } from './models.ts'
import { SERVICES } from './services.ts'
import type { Shape } from './shape.ts'

/** All kinds of token with a start of their own. */
export const SHAPES: readonly Shape[] = [...CLOUDS, ...DEVELOPER_TOOLS, ...MODELS, ...SERVICES]
