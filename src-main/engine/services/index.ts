export { type ArtifactKind, ArtifactService } from './artifacts.ts';
export { engineKey, LEASE_BEAT_MS, type LeaseOwner, LeaseService } from './leases.ts';
