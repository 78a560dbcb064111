package palyra.skills.internal.store;

import java.util.List;
import java.util.Optional;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.skills.internal.RefusedException;
import palyra.skills.internal.artifact.Artifact;
import palyra.skills.internal.manifest.Manifest;
import palyra.skills.internal.manifest.SemanticVersion;

/** Which version of a skill may be installed beside or over which. */
final class InstallRules {
    private InstallRules() {}

    /**
     * Returns whether this very artifact is installed already; otherwise that it may be.
     *
     * @param update whether another version must be there already, rather than none
     * @param most how many versions may be installed in all
     * @throws RefusedException {@code version_exists}, {@code publisher_changed}, {@code downgrade}
     * @throws PalyraException NOT_FOUND, ALREADY_EXISTS, RESOURCE_EXHAUSTED
     */
    static boolean present(Inventory inventory, Artifact artifact, boolean update, int most) {
        Manifest manifest = artifact.manifest();
        Optional<SkillRecord> same = inventory.find(manifest.id());
        if (same.isPresent()) {
            if (same.get().origin().artifactSha256().equals(artifact.sha256())) {
                return true;
            }
            throw new RefusedException(
                    "version_exists",
                    "Another artifact is installed as " + manifest.id() + ". Remove it first.");
        }
        List<SkillRecord> versions = inventory.versions(manifest.id().skill());
        requireKind(manifest.id().skill(), versions, update);
        versions.forEach(other -> requireFollows(other, manifest));
        if (inventory.all().size() >= most) {
            throw new PalyraException(
                    ErrorCode.RESOURCE_EXHAUSTED,
                    most
                            + " versions are installed, which is the limit. Remove old ones, or"
                            + " raise maxInstalled.");
        }
        return false;
    }

    private static void requireKind(String skill, List<SkillRecord> versions, boolean update) {
        if (versions.isEmpty() && update) {
            throw new PalyraException(
                    ErrorCode.NOT_FOUND,
                    "No version of " + skill + " is there to update; use skills install.");
        }
        if (!versions.isEmpty() && !update) {
            throw new PalyraException(
                    ErrorCode.ALREADY_EXISTS,
                    "A version of " + skill + " is installed; use skills update.");
        }
    }

    private static void requireFollows(SkillRecord other, Manifest manifest) {
        if (!other.origin().publisher().equals(manifest.publisher())) {
            throw new RefusedException(
                    "publisher_changed",
                    manifest.id().skill()
                            + " is by '"
                            + other.origin().publisher()
                            + "', this is by '"
                            + manifest.publisher()
                            + "'. Remove the skill first.");
        }
        SemanticVersion installed = SemanticVersion.of(other.id().version());
        if (installed.compareTo(SemanticVersion.of(manifest.id().version())) > 0) {
            throw new RefusedException(
                    "downgrade",
                    other.id()
                            + " is installed, which is newer than "
                            + manifest.id()
                            + ". To go back use palyra skills rollback.");
        }
    }
}
