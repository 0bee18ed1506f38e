// Escaped names of signals, instances.
// expect: UNSAFE b0 (
// expect: SAFE b1 (
module \sub-m (input clk, input d, output reg q); initial q = 0; always @(posedge clk) q <= d; low: assert property (!q); endmodule
module \top.x (input clk, input \a[0] , input [1:0] \b$c );
  reg [1:0] \q-1 = 0;
  always @(posedge clk) if (\a[0] ) \q-1 <= \b$c ;
  wire \w.v ; \sub-m \i.j[3] (.clk(clk), .d(\a[0] ), .q(\w.v ));
  p1: assert property (\q-1 <= 3);
endmodule
