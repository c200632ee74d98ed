import type { RenderedFile } from '../contract/pack.ts';
export declare const POLICY = ".gemini/cortext-policy.toml";
/**
 * The policy file with the calls that need no yes (0.61.0). The client holds a pattern against all arguments of a tool
 * call as JSON with sorted keys, and puts NUL around each pair of the top level, which no value can hold. So a pattern
 * here begins with the first pair, which must be the command, ends with that pair, and allows no other pair that says
 * how or where the command runs. Anything else is asked about.
 */
export declare function policyFile(): RenderedFile;
