/** The ways to write a placeholder, such as `%NAME%` on Windows. */
const forms = [
  String.raw`\$(env:)?\w+`, // shells, PowerShell
  String.raw`%\w+%`, // Windows
  String.raw`\$\{[^{}]+\}`, // MCP clients, also as ${env:NAME} and ${input:NAME}
  String.raw`\$\([^()]+\)`, // commands in shells
  String.raw`\{(env|file):[^{}]+\}`, // OpenCode
  String.raw`\$?\{\{[^{}]+\}\}`, // templates
  String.raw`<[\w .:-]+>`, // documentation
];
const wholly = new RegExp(`^["'\`]?(${forms.join('|')})["'\`]?$`, 'i');

/**
 * Whether a value is a placeholder that a client, a shell or a person did not replace. An API key is opaque (§5.7), so
 * one that only contains `${` or `{{` is a key.
 */
export const isPlaceholder = (value: string): boolean => wholly.test(value);

/** Whether a setting is a placeholder or contains one, as in `https://${HOST}/api/v1`. */
export const hasPlaceholder = (value: string): boolean => isPlaceholder(value) || /\$[{(]|\{\{/.test(value);
