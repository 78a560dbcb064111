package palyra.deploy.internal.parts;

/** Runs nothing. */
public class Relay implements Runnable {
    @Override
    public void run() {
        // nothing
    }
}
