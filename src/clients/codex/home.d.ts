import type { Environment } from '../../io/environment.ts';
/** The folder in which Codex CLI keeps its settings and its threads. */
export declare function codexHome({ env, home }: Environment): string;
