/// The numbered `.sql` files of this folder, as they were when the program was built.
///
/// A build-tool plugin writes `all`: a new file is compiled in by itself, and a changed one again.
public enum EmbeddedMigrations {}
