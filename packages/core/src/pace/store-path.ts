import { homedir } from 'node:os';
import path from 'node:path';

/**
 * The file that a user's processes share, in the user's state folder. Relative paths in the environment are ignored, as
 * the XDG specification requires.
 */
export const defaultStorePath = (platform = process.platform, env = process.env, home = homedir()): string => {
  const { join, isAbsolute } = platform === 'win32' ? path.win32 : path.posix;
  const given = (folder: string | undefined) => (folder && isAbsolute(folder) ? folder : undefined);
  const folders: Partial<Record<NodeJS.Platform, string>> = {
    win32: given(env.LOCALAPPDATA) ?? join(home, 'AppData', 'Local'),
    darwin: join(home, 'Library', 'Application Support'),
  };
  return join(
    folders[platform] ?? given(env.XDG_STATE_HOME) ?? join(home, '.local', 'state'),
    'order-license',
    'rate-limit.sqlite',
  );
};
