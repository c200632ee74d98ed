/** The prompt pack in a client's own format: files of the workspace that a client loads by itself. */
export interface PromptPack {
  /**
   * The folders, relative to the workspace root, that contain the client's rendered files, at any depth. Clients may
   * share a folder (`.agents/skills`). `init` refuses a rendered file that is outside these folders, or in
   * `.workspace`, `.git` or a folder of conversations. In a private workspace, git ignores rendered files. `uninstall`
   * removes the rendered files that nobody has edited.
   */
  readonly folders: readonly string[]
  /** The file that the client loads a command from. */
  command(command: PackCommand): RenderedFile
  /** Further files next to the command's file. */
  extraFiles?(command: PackCommand): RenderedFile[]
  /** How a person types a command with this name. Absent: with a slash before the name. */
  typed?(command: string): string
  /**
   * One line, without a full stop, that tells the person what the client asks, or what they have to do, before it uses
   * these files. `init` shows it when it has made one of them. Absent: the client uses them at once.
   */
  readonly trustQuestion?: string
  /** Further files that the client needs. `shipped` reads a file of our package by its path in the package. */
  files?(shipped: (path: string) => string): RenderedFile[]
  /**
   * The text that the model receives when a person runs the command: without front matter, with the arguments filled
   * in.
   */
  commandBody(command: PackCommand, args: string): string
}

/** A slash command of the prompt pack, before it is rendered for a client. */
export interface PackCommand {
  /** The name without the slash: `workspace.brainstorm`. */
  name: string
  description: string
  /** Clients show it after the name: `<topic>`. */
  argumentHint: string
  /** Markdown; `$ARGUMENTS` stands for what the person typed after the command. */
  body: string
}

export interface RenderedFile {
  /** Relative to the workspace root, with forward slashes, in one of the pack's folders. */
  path: string
  content: string
}
