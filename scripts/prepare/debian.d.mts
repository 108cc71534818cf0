export function ensureDebian(packages: string[]): Promise<void>;
