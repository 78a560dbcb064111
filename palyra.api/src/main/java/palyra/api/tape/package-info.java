/** The records of a run's tape: one type for each kind. */
@org.osgi.annotation.bundle.Export
@org.osgi.annotation.versioning.Version("7.0.0")
package palyra.api.tape;
