import { type Shape } from './shape.ts';
/** Code, packages, builds, monitoring, and models. */
export declare const CODE: readonly Shape[];
