import { homedir } from 'node:os';
import path from 'node:path';

/**
 * The file that a user's processes share, in the user's state folder. Relative paths in the environment are ignored, as
 * the XDG specification requires.
 */
export const defaultStorePath = (platform = process.platform, env = process.env, home = homedir): string => {
  const { join, isAbsolute } = platform === 'win32' ? path.win32 : path.posix;
  const given = (folder: string | undefined) => (folder && isAbsolute(folder) ? folder : undefined);
  const stateFolder = (): string => {
    if (platform === 'darwin') return join(home(), 'Library', 'Application Support');
    if (platform === 'win32') return given(env.LOCALAPPDATA) ?? join(home(), 'AppData', 'Local');
    return given(env.XDG_STATE_HOME) ?? join(home(), '.local', 'state');
  };
  return join(stateFolder(), 'order-license', 'rate-limit.sqlite');
};
