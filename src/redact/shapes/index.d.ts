import type { Shape } from './shape.ts';
/** All kinds of token with a start of their own. */
export declare const SHAPES: readonly Shape[];
