import { type Shape } from './shape.ts';
/** Chat, mail, money, and the tools of work. */
export declare const SERVICES: readonly Shape[];
