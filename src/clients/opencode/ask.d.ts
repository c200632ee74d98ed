import type { AskSpec, Question } from '../contract/questions.ts';
/**
 * Runs `opencode run` with its prompt on stdin, which arrives unchanged, without tools and plugins (1.18.33). The
 * settings of the empty folder define an agent for this. A title is given, so that no model is asked for one. Pure.
 */
export declare function ask({ system, user }: Question): AskSpec;
