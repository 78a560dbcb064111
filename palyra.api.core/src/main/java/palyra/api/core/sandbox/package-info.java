/** Sandboxes for foreign processes: what a backend offers, and how a process is launched. */
@org.osgi.annotation.bundle.Export
@org.osgi.annotation.versioning.Version("4.1.0")
package palyra.api.core.sandbox;
