package palyra.sandbox.internal.files;

import java.io.IOException;

/** Called before each step that changes the file system. Tests inject failures here. */
class PatchStepListener {
    /** Called before a step; an exception rolls the patch back. */
    void before(String step) throws IOException {
        // production code has no hook
    }
}
