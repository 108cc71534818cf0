import type { SecretBox } from '../secrets/secret-box.ts';

/**
 * The secrets of better-auth, the current one first. It writes the version beside what it encrypts, so that it can read
 * what an accepted key wrote. A key's fingerprint serves as its version.
 */
export function secretVersions({ sessionSecrets, fingerprints }: SecretBox): {
  version: number;
  value: string;
}[] {
  const byVersion = new Map<number, string>();
  for (const [at, value] of sessionSecrets.entries()) {
    const version = Number.parseInt(fingerprints[at]?.slice(0, versionDigits) ?? '', 16);
    if (!byVersion.has(version)) byVersion.set(version, value);
  }
  return [...byVersion].map(([version, value]) => ({ version, value }));
}

/** 48 bits: as many as a number holds exactly, in whole bytes. */
const versionDigits = 12;

/** The same for better-auth's encryption alone. */
export function secretConfig(secrets: SecretBox): { keys: Map<number, string>; currentVersion: number } {
  const versions = secretVersions(secrets);
  return {
    keys: new Map(versions.map(({ version, value }) => [version, value])),
    currentVersion: versions[0]?.version ?? 0,
  };
}
