/** The one store: what is durable, in which order, and how it is read and verified. */
@org.osgi.annotation.bundle.Export
@org.osgi.annotation.versioning.Version("7.0.0")
package palyra.api.core.journal;
