package palyra.sandbox.internal.files;

import java.io.IOException;

/** Is told before each step that changes something on the medium. Tests fail here. */
class PatchSteps {
    /** Called before a step; an exception takes everything back. */
    void before(String step) throws IOException {
        // nothing stands in the way
    }
}
