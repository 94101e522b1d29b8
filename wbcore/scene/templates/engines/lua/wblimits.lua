-- Largest and smallest number up to which all integers are exact.
return {maxdouble = 2 ^ 53, mindouble = -2 ^ 53}
