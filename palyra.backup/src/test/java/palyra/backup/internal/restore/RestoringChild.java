package palyra.backup.internal.restore;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import palyra.shared.files.DurableFiles;

/** A process that restores until the step at which it waits to be killed. */
public final class RestoringChild {
    private RestoringChild() {}

    /** Begins; the arguments are the state folder, the backup, and the number of the step. */
    public static void main(String[] arguments) throws IOException {
        try (InputStream in = Files.newInputStream(Path.of(arguments[1]))) {
            Steps steps = new Steps(Integer.parseInt(arguments[2]));
            Sample.restore(Path.of(arguments[0]), in, steps, new ArrayList<>());
        }
        System.out.println("done");
    }

    /** Waits before a step. */
    private static final class Steps extends DurableFiles {
        private int left;

        Steps(int last) {
            left = last;
        }

        private void step(String name) {
            if (left-- == 0) {
                System.out.println(name);
                System.out.flush();
                while (true) {
                    try {
                        Thread.sleep(Long.MAX_VALUE);
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                }
            }
        }

        @Override
        public void makeFolder(Path folder) throws IOException {
            step("folder");
            super.makeFolder(folder);
        }

        @Override
        public FileChannel create(Path file) throws IOException {
            step("file");
            return super.create(file);
        }

        @Override
        public void force(FileChannel file) throws IOException {
            step("force");
            super.force(file);
        }

        @Override
        public void sync(Path folder) throws IOException {
            step("sync");
            super.sync(folder);
        }

        @Override
        public void rename(Path from, Path to) throws IOException {
            step("rename");
            super.rename(from, to);
        }

        @Override
        public void delete(Path path) throws IOException {
            step("delete");
            super.delete(path);
        }
    }
}
