// Where a load failed, and whose fault it was, in the words of all layers: users of this module see them as its own.
@_exported import enum BluebonnetSemantics.LoadingFault
@_exported import enum BluebonnetSemantics.LoadingPhase
