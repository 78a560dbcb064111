package palyra.skills.internal.host;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.shared.files.DurableFiles;

/**
 * Storage in files below the state folder, one folder for each skill; see {@link StorageFolder}.
 */
public final class FileStorage implements SkillStorage {
    private final Path root;
    private final DurableFiles files;
    private final ConcurrentMap<String, SkillDirectory> directories = new ConcurrentHashMap<>();

    /** Creates storage in {@code <state>/skills/storage}. */
    public FileStorage(Path state) {
        this(state.resolve("skills").resolve("storage"), new DurableFiles());
    }

    FileStorage(Path root, DurableFiles files) {
        this.root = root;
        this.files = files;
    }

    /** The values of one skill. */
    private static final class SkillDirectory {
        private final StorageFolder folder;
        private final ReentrantLock lock = new ReentrantLock();
        private StorageIndex index; // guarded by lock; null before it was read, or after a failure

        SkillDirectory(StorageFolder folder) {
            this.folder = folder;
        }
    }

    /** A step that reads or writes files. */
    @FunctionalInterface
    private interface Step<T> {
        T take(StorageFolder folder, StorageIndex index) throws IOException;
    }

    private SkillDirectory directory(String skill) {
        Require.that(
                skill.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,127}"),
                "a skill called '" + skill + "' cannot keep anything");
        return directories.computeIfAbsent(
                skill, each -> new SkillDirectory(new StorageFolder(root.resolve(each), files)));
    }

    private <T> T within(String skill, Step<T> step) {
        SkillDirectory directory = directory(skill);
        directory.lock.lock();
        try {
            if (directory.index == null) {
                directory.index = directory.folder.load();
            }
            return step.take(directory.folder, directory.index);
        } catch (IOException e) {
            directory.index = null; // what the medium has is read again
            throw new PalyraException(
                    ErrorCode.TOOL_UNAVAILABLE,
                    "The storage of the skill "
                            + skill
                            + " cannot be used: "
                            + e.getMessage()
                            + "; see to the disk.",
                    e);
        } finally {
            directory.lock.unlock();
        }
    }

    @Override
    public Optional<StoredLedger> get(String skill, String key) {
        return within(
                skill,
                (folder, index) ->
                        index.get(key) == null
                                ? Optional.empty()
                                : Optional.ofNullable(folder.read(key)));
    }

    @Override
    public long put(
            String skill, String key, byte[] value, long ifVersion, String prefix, long quota) {
        return within(
                skill,
                (folder, index) -> {
                    index.requireVersion(key, ifVersion);
                    index.requireRoom(key, value.length, prefix, quota);
                    long version = index.nextVersion();
                    folder.write(key, value, version);
                    index.found(new Kept(key, value.length, version));
                    return version;
                });
    }

    @Override
    public boolean delete(String skill, String key) {
        return within(
                skill,
                (folder, index) -> {
                    if (index.get(key) == null) {
                        return false;
                    }
                    folder.delete(key);
                    index.removed(key);
                    return true;
                });
    }

    @Override
    public Page list(String skill, String prefix, String after, int limit) {
        return within(skill, (folder, index) -> index.page(prefix, after, limit));
    }

    @Override
    public void forget(String skill) {
        SkillDirectory directory = directory(skill);
        directory.lock.lock();
        try {
            directory.index = null;
            directory.folder.deleteAll();
        } catch (IOException e) {
            throw new PalyraException(
                    ErrorCode.TOOL_UNAVAILABLE,
                    "What the skill " + skill + " kept could not be deleted: " + e.getMessage(),
                    e);
        } finally {
            directory.lock.unlock();
        }
    }
}
