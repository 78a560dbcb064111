package palyra.launcher;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** Messages of exceptions for users. */
final class Problems {
    private Problems() {}

    static String sentence(IOException problem) {
        if (!(problem instanceof FileSystemException file)) {
            return oneLine(problem);
        }
        String what =
                switch (file) {
                    case AccessDeniedException denied -> "no permission for ";
                    case NoSuchFileException missing -> "there is no ";
                    case NotDirectoryException other -> "this is not a folder: ";
                    case FileAlreadyExistsException existing -> "this is in the way: ";
                    default -> null;
                };
        return what == null ? oneLine(problem) : what + file.getFile();
    }

    static String oneLine(Throwable problem) {
        String message = problem.getMessage();
        if (message == null || message.isBlank()) {
            return problem.getClass().getSimpleName();
        }
        return message.strip().replaceAll("\\s*\\R\\s*", "; ");
    }
}
