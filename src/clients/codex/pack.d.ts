import type { PackCommand, RenderedFile } from '../contract/pack.ts';
/**
 * Where the skills lie. Codex CLI reads `.agents/skills` too (0.169.0), but so do OpenCode (1.18.33) and Gemini CLI
 * (0.61.0), which would offer each command a second time. This folder is read by Codex CLI alone.
 */
export declare const SKILLS = ".codex/skills";
/** How a person calls a skill. */
export declare function typed(command: string): string;
/** Renders `.codex/skills/<name>/SKILL.md`, which the model receives whole when the person types `$<name>`. */
export declare function renderCommand(command: PackCommand): RenderedFile;
/** The commands are for the person to type: the model is not offered them, and cannot load one by itself. */
export declare function besideSkill({ name }: PackCommand): RenderedFile[];
/** The text of a skill with the arguments in it. */
export declare function commandBody({ body }: PackCommand, args: string): string;
/** The client fills nothing in: the arguments stand in the person's own message. */
export declare function argumentsOf(name: string): string;
