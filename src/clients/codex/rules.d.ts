import type { RenderedFile } from '../contract/pack.ts';
/**
 * The rule by which the agent's calls of ours leave the sandbox, where `.git` cannot be written, without a question
 * (0.169.0). The client holds it against the words of a command line with which the shell would do nothing else. Without
 * the list of paths, which is empty, it would hold the rule against a path by its last name too: a program `cortext`
 * that the agent has written into the project would run outside of the sandbox.
 */
export declare function rulesFile(): RenderedFile;
