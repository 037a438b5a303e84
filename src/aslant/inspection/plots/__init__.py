"""Pictures of trees and of what they do, drawn with Matplotlib."""
