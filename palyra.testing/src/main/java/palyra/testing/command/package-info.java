/** A command context that keeps what a command wrote. */
@org.osgi.annotation.bundle.Export
@org.osgi.annotation.versioning.Version("1.1.0")
package palyra.testing.command;
