import { type Shape } from './shape.ts';
/** Clouds, hosting, networks, infrastructure. */
export declare const CLOUDS: readonly Shape[];
