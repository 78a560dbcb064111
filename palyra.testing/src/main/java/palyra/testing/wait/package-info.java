/** Waiting for a condition with a deadline, never for a time. */
@org.osgi.annotation.bundle.Export
@org.osgi.annotation.versioning.Version("1.0.0")
package palyra.testing.wait;
