// One import gives users the whole house: the URL loading types are part of this module's signatures.
@_exported import BluebonnetURLLoading
