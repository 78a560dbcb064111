package palyra.skills.internal.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.access.Principal;
import palyra.skills.internal.ledger.LedgerEdit;

/** Removes versions: the records first, then the unused files. Thread-safe. */
final class Removal {
    private static final Logger LOG = LoggerFactory.getLogger(Removal.class);

    private final AuthorizedChanges changes;
    private final ArtifactFiles files;
    private final Consumer<String> removed;

    /**
     * @param removed told the id of a skill of which no version is left
     */
    Removal(AuthorizedChanges changes, ArtifactFiles files, Consumer<String> removed) {
        this.changes = changes;
        this.files = files;
        this.removed = removed;
    }

    /** Removes versions of one skill; with the last one goes what was said about the skill. */
    void remove(Principal principal, List<SkillRecord> records) {
        SkillRecord first = records.get(0);
        String skill = first.id().skill();
        Inventory after =
                changes.make(
                        List.of(AuthorizedChanges.Question.of(principal, "skill.remove", first)),
                        now -> edit(now, skill, principal.id(), records));
        for (SkillRecord record : records) {
            deleteFile(after, record.origin().artifactSha256());
        }
        if (after.versions(skill).isEmpty()) {
            removed.accept(skill);
        }
    }

    private static LedgerEdit edit(
            Inventory now, String skill, String by, List<SkillRecord> records) {
        LedgerEdit edit = new LedgerEdit();
        List<SkillRecord> left = new ArrayList<>(now.versions(skill));
        for (SkillRecord record : records) {
            edit.delete(record.row()).event("skill_removed", AuthorizedChanges.event(by, record));
            left.removeIf(each -> each.id().equals(record.id()));
        }
        if (left.isEmpty()) {
            edit.delete(Inventory.markRow(skill));
        }
        return edit;
    }

    private void deleteFile(Inventory after, String sha256) {
        boolean used =
                after.all().stream()
                        .anyMatch(each -> each.origin().artifactSha256().equals(sha256));
        try {
            if (!used) {
                files.delete(sha256);
            }
        } catch (IOException e) {
            LOG.warn("An artifact could not be deleted; it is retried later.", e);
        }
    }
}
